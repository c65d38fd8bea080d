# What the examples find: the main branch, a release, a published version, a source with comments.
set -e
mkdir configs
cp shop.app.json configs/shop.app.json
git init -q .
git add .
git -c user.name=Ada -c user.email=ada@example.com commit -qm "A config"
git update-ref refs/remotes/origin/main HEAD
git tag v1.4
rm -r configs setup.sh
cp shop.app.json published.app.json
cp shop.app.json shop.app.jsonc
