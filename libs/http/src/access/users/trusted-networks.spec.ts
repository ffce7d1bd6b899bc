import { expect, it } from '@jest/globals';
import { TrustedNetworks, toPlainAddress } from './trusted-networks';

it.each([
  [['loopback'], '127.8.9.1', true],
  [['loopback'], '::1', true],
  [['loopback'], '::ffff:127.0.0.1', true],
  [['loopback'], '10.0.0.1', false],
  [['linklocal'], 'fe80::1', true],
  [['uniquelocal'], '192.168.4.5', true],
  [['uniquelocal'], 'fd00::5', true],
  [['uniquelocal'], '172.32.0.1', false],
  [['10.1.2.3'], '10.1.2.3', true],
  [['10.1.2.3'], '10.1.2.4', false],
  [['203.0.113.1', '10.0.0.0/8'], '10.255.0.1', true],
  [['2001:db8::/32'], '2001:db8:1::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['0.0.0.0/0'], 'unix socket', false],
  [['0.0.0.0/0'], undefined, false],
  [[], '127.0.0.1', false],
])('the networks %j cover %s: %s', (names, address, expected) => {
  expect(new TrustedNetworks(names).covers(address)).toBe(expected);
});

it('shows an IPv4 address without its mapping', () => {
  expect(toPlainAddress('::ffff:10.1.2.3')).toBe('10.1.2.3');
  expect(toPlainAddress('::ffff:1')).toBe('::ffff:1');
});
