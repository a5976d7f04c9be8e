#!/bin/sh
# Print the nginx that tests/deploy/test_proxy.py drives, and install Debian's where there is none. Without it those tests say so and skip.
set -eu

PATH=$PATH:/usr/sbin
command -v nginx && exit
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    # policy-rc.d: the package must not start a server of its own.
    policy=/usr/sbin/policy-rc.d
    [ -e $policy ] || { printf '#!/bin/sh\nexit 101\n' >$policy && chmod +x $policy && trap 'rm -f "$policy"' EXIT; }
    { apt-get update && apt-get install -y --no-install-recommends nginx-light; } >&2 || true
fi
command -v nginx || echo 'no nginx: the tests of the proxy are skipped' >&2
