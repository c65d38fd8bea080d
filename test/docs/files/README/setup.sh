# The reader is in the repository, has a config of their own, and a release of it.
set -e
mkdir examples
cp -r "$REPOSITORY/examples/crm" examples/crm
cp "$REPOSITORY/packages/cli/templates/outbound.app.json" shop.app.json
git init -q .
git add .
git -c user.name=Ada -c user.email=ada@example.com commit -qm "A config"
git tag v1.4.0
