# What “configc breaking” and “git show” find in the examples: the main branch, and a release.
set -e
mkdir configs && cp shop.app.json configs/shop.app.json
git init -q .
git add .
git -c user.name=Ada -c user.email=ada@example.com commit -qm "A config"
git update-ref refs/remotes/origin/main HEAD
git tag v1.4
rm -r configs setup.sh
