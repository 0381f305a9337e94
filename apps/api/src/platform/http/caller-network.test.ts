import { describe, expect, it } from 'vitest';
import { callerNetwork } from './caller-network.ts';

describe('callerNetwork', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['203.0.113.9:51234', '203.0.113.9'],
    ['[2001:db8:1:2::5]:51234', '2001:db8:1:2::/64'],
    ['not an address', 'unknown'],
  ])('%s counts as %s', (address, network) => expect(callerNetwork(address)).toBe(network));
});
