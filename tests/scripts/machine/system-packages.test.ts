import { expect, test } from 'vitest';

import { systemOf } from '#scripts/machine/system-packages';

test.each([
  ['PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nID=debian\n', 'debian'],
  ['NAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n', 'like-debian'],
  ['NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n', 'like-debian'],
  ['NAME="Fedora Linux"\nID=fedora\nPRETTY_NAME="not debian"\n', undefined],
  ['NAME="openSUSE"\nID="opensuse-leap"\nID_LIKE="suse opensuse"\n', undefined],
])('%j is %s', (osRelease, system) => {
  expect(systemOf(osRelease)).toBe(system);
});
