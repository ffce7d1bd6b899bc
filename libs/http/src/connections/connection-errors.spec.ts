import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { ConnectionErrors } from './connection-errors';

test('no call is made for a connection that its client has reset', () => {
  let calls = 0;
  const errors = new ConnectionErrors({
    vendor: 'linkedin',
    normalize: (target) => target,
    inject: () => {
      calls += 1;
      return Promise.reject(new Error('unused'));
    },
  });
  // Its address is gone with the connection.
  const socket = new Socket();
  const rawPacket = Buffer.from('DELETE /relationships?urn=a b HTTP/1.1\r\nHost: x\r\n\r\n');
  errors.answer(Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_URL', rawPacket }), socket);
  expect([socket.destroyed, calls]).toEqual([true, 0]);
});
