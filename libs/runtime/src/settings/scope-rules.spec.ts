import { expect, test } from '@jest/globals';
import { parseScopeRules } from './scope-rules';

test.each([
  ['* -> read', [{ scopes: ['read'] }]],
  [
    'scope=catalog.write -> read, write;https://x.example/roles=a=b->admin',
    [
      { when: { claim: 'scope', value: 'catalog.write' }, scopes: ['read', 'write'] },
      { when: { claim: 'https://x.example/roles', value: 'a=b' }, scopes: ['admin'] },
    ],
  ],
])('the rule %j means %j', (text, rules) => {
  expect(parseScopeRules(text)).toEqual(rules);
});

test.each([
  '',
  '*',
  '* ->',
  '* -> reed',
  '* -> read -> write',
  'scope -> read',
  '=a -> read',
  'a= -> read',
  '* -> read;',
])('the rule %j is malformed', (text) => {
  expect(parseScopeRules(text)).toBeUndefined();
});
