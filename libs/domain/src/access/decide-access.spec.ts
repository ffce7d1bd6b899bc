import { describe, expect, it, test } from '@jest/globals';
import { decideAccess, dependsOnTouched, isPolicyBound, type Touched } from './decide-access';
import { findPlatform } from './find-platform';
import { CALL_EFFECTS, NEEDED_SCOPE, SCOPES, type Principal } from './principal';

const principal = (given: Partial<Principal> = {}): Principal => ({
  kind: 'token',
  id: 'abc',
  name: 'nightly',
  actor: 'urn:li:corpuser:etl',
  scopes: new Set(),
  limits: {},
  speaksForOthers: false,
  open: new Set(),
  ...given,
});
const READ = { effect: 'reads', call: 'GET /entitiesV2/:urn' } as const;
const KAFKA = 'urn:li:dataset:(urn:li:dataPlatform:kafka,a,PROD)';
const HIVE = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';
const entities = (...urns: string[]): Touched => ({ kind: 'entities', urns });
const types = (...entityTypes: string[]): Touched => ({ kind: 'types', entityTypes });
const findReason = (given: Partial<Principal>, touched?: Touched): string | undefined => {
  const decision = decideAccess(principal({ scopes: new Set(['read']), ...given }), READ, touched);
  return decision.kind === 'rejected' ? decision.reason : undefined;
};

describe('decideAccess', () => {
  test.each(CALL_EFFECTS.flatMap((effect) => SCOPES.map((scope) => [effect, scope] as const)))(
    'permits a call that %s by its scope only: %s',
    (effect, scope) => {
      const decision = decideAccess(principal({ scopes: new Set([scope]) }), { effect, call: 'x' });
      expect(decision.kind).toBe(NEEDED_SCOPE[effect] === scope ? 'allowed' : 'rejected');
    },
  );

  it('names the missing scope and the token', () => {
    const decision = decideAccess(principal({ scopes: new Set(['read', 'write']) }), {
      effect: 'destroys',
      call: 'x',
    });
    expect(decision).toEqual({
      kind: 'rejected',
      reason: 'needs the scope operate; token "nightly" (abc) has read, write',
    });
  });

  it('allows an open effect to everybody, whatever the limits', () => {
    const open = new Set(['reads'] as const);
    expect(
      findReason({ open, scopes: new Set(), limits: { entityTypes: ['tag'] } }, entities(HIVE)),
    ).toBeUndefined();
  });

  it('compares the call', () => {
    expect(findReason({ limits: { calls: ['POST /entities search'] } })).toContain('GET /entitiesV2/:urn');
    expect(findReason({ limits: { calls: [READ.call] } })).toBeUndefined();
  });

  test.each([
    [{ entityTypes: ['dataset'] }, entities(KAFKA, HIVE), undefined],
    [{ entityTypes: ['tag'] }, entities('urn:li:tag:a', KAFKA), `${KAFKA} is not of the entity types tag`],
    [{ platforms: ['kafka'] }, entities(KAFKA), undefined],
    [
      { platforms: ['kafka'] },
      entities(KAFKA, HIVE),
      `${HIVE} is not of the platforms kafka: token "nightly" (abc) is limited in its scope read`,
    ],
    [{ platforms: ['kafka'] }, entities('urn:li:tag:a'), 'urn:li:tag:a is not of the platforms kafka'],
    [{ entityTypes: ['dataset'] }, entities('no urn'), 'no urn is not'],
    [{ entityTypes: ['dataset'] }, types('dataset'), undefined],
    [{ entityTypes: ['dataset'] }, types('dataset', 'tag'), 'the entity type tag is not'],
    [
      { entityTypes: ['dataset'] },
      types(),
      'the call is not limited to entities of the entity types dataset',
    ],
    [{ platforms: ['kafka'] }, types('dataset'), 'the call is not limited'],
    [{ platforms: ['kafka'] }, { kind: 'any' }, 'the call is not limited'],
    [{ platforms: ['kafka'] }, { kind: 'nothing' }, undefined],
    [{}, { kind: 'any' }, undefined],
  ] as const)('given the limits %j and a call on %j, then it is rejected: %s', (limits, touched, reason) => {
    const rejected = findReason({ limits }, touched);
    if (reason === undefined) expect(rejected).toBeUndefined();
    else expect(rejected).toContain(reason);
  });
});

describe('a call that changes entities which it does not name', () => {
  const bound = { scopes: new Set(['read'] as const), policies: 'on' } as const;
  const unnamed = { kind: 'any', changesUnnamed: true } as const;

  test.each([
    [
      'a caller whom policies bind',
      bound,
      unnamed,
      'policies bind urn:li:corpuser:etl; it needs the scope admin',
    ],
    ['its dry run', bound, { kind: 'any', changesUnnamed: false }, undefined],
    ['a catalog without policies', { ...bound, policies: 'off' }, unnamed, undefined],
    ['an administrator', { ...bound, scopes: new Set(['read', 'admin'] as const) }, unnamed, undefined],
    [
      'an administrator who speaks for another',
      { ...bound, scopes: new Set(['read', 'admin'] as const), actsForAnother: true },
      unnamed,
      'policies bind',
    ],
  ] as const)('given %s, then the reason of the rejection is as expected', (_who, given, touched, reason) => {
    const rejected = findReason(given, touched);
    if (reason === undefined) expect(rejected).toBeUndefined();
    else expect(rejected).toContain(reason);
    expect(dependsOnTouched(principal(given))).toBe(isPolicyBound(principal(given)));
  });
});

test.each([
  [KAFKA, 'kafka'],
  ['urn:li:dataPlatform:hive', 'hive'],
  ['urn:li:chart:(looker,a)', 'looker'],
  ['urn:li:dataJob:(urn:li:dataFlow:(airflow,a,PROD),b)', 'airflow'],
  [`urn:li:schemaField:(${HIVE},id)`, 'hive'],
  ['urn:li:dataPlatformInstance:(urn:li:dataPlatform:mysql,a)', 'mysql'],
  ['urn:li:chart:looker', undefined],
  ['urn:li:test:(urn:li:dataPlatform:kafka,a)', undefined],
  ['urn:li:dataHubPolicy:urn:li:dataPlatform:kafka', undefined],
  ['urn:li:dataJob:(urn:li:tag:a,urn:li:dataPlatform:kafka)', undefined],
  ['urn:li:tag:a', undefined],
  ['kafka', undefined],
])('given %s, then its platform is %s', (urn, platform) => {
  expect(findPlatform(urn)).toBe(platform);
});
