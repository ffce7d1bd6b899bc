import { expect, test } from '@jest/globals';
import { chooseRecord } from './audit-calls';

test.each([
  [{ access: 'administrative' }, 200, 'own'],
  [{ access: 'administrative' }, 422, 'own'],
  [{ access: 'administrative', writes: false }, 200, 'read'],
  [{ access: 'ordinary' }, 200, 'none'],
  [{ access: 'ordinary' }, 400, 'none'],
  [{ effect: 'destroys' }, 200, 'own'],
  [{ access: 'ordinary', effect: 'destroys' }, 404, 'own'],
  [{ access: 'ordinary', effect: 'writes' }, 200, 'none'],
  [{}, 401, 'rejected'],
  [{ access: 'administrative' }, 401, 'rejected'],
  [{ access: 'public' }, 403, 'rejected'],
  [{ access: 'ordinary' }, 429, 'rejected'],
] as const)('given the route %j and the status %s, then the record is %s', (route, status, expected) => {
  expect(chooseRecord(route, status)).toBe(expected);
});

test('a write has a record of its own when one of its proposals needs one, unless it was rejected', () => {
  const route = { access: 'ordinary', effect: 'writes' } as const;
  expect([200, 422, 403].map((status) => chooseRecord(route, status, true))).toEqual([
    'own',
    'own',
    'rejected',
  ]);
});
