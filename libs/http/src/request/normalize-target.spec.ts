import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalizeTarget } from './normalize-target';

const RESOURCES = new Map([
  ['entities', new Set<string>()],
  ['entitiesV2', new Set(['timeline'])],
  ['aspects', new Set<string>()],
]);
const DEEP_URNS = [/^(\/openapi\/entity\/[^/]+\/)urn(?::|%3A)/i];
const normalize = (target: string) => normalizeTarget(target, RESOURCES, DEEP_URNS);

describe('normalizeTarget', () => {
  it.each([
    ['/aspects?action=ingestProposal', '/aspects?action=ingestProposal'],
    ['/aspects/?action=ingestProposal', '/aspects?action=ingestProposal'],
    ['/api/gms/operations/?action=x', '/operations?action=x'],
    ['/gms', '/'],
    ['/gmsx/y', '/gmsx/y'],
    ['http://host:8080/gms/config?a=http://b/c', '/config?a=http://b/c'],
    ['http://host?x=1', '/?x=1'],
    ['/entities/ urn:li:tag:a \t?x', '/entities/urn%3Ali%3Atag%3Aa?x'],
    ['/entities/%20?x', '/entities?x'],
    ['/entities/urn%3Ali%3Atag%3A100%25zz', '/entities/urn%3Ali%3Atag%3A100%25zz'],
    ['/entities/urn:li:tag:%ff', '/entities/urn:li:tag:%ff'],
    ['/relationships/?urn=%252C', '/relationships?urn=%252C'],
    ['/entitiesV2/urn:li:tag:a/b/timeline?x', '/entitiesV2/urn%3Ali%3Atag%3Aa%2Fb/timeline?x'],
    ['/gms/entitiesV2/urn%3Ali%3Atag%3Aa/timeline', '/entitiesV2/urn%3Ali%3Atag%3Aa/timeline'],
    ['/entitiesV2/urn:li:tag:a%2Ftimeline', '/entitiesV2/urn%3Ali%3Atag%3Aa%2Ftimeline'],
    ['/entitiesV2/urn:li:tag:a/timelines', '/entitiesV2/urn%3Ali%3Atag%3Aa%2Ftimelines'],
    ['/entities/urn:li:tag:a/timeline', '/entities/urn%3Ali%3Atag%3Aa%2Ftimeline'],
    ['/entitiesV2/timeline', '/entitiesV2/timeline'],
    ['/openapi/entity/tag/urn:li:tag:a/b/?x', '/openapi/entity/tag/urn%3Ali%3Atag%3Aa%2Fb%2F?x'],
    ['/gms/openapi/entity/tag/urn%3Ali%3Atag%3Aa%2Fb', '/openapi/entity/tag/urn%3Ali%3Atag%3Aa%2Fb'],
    ['/openapi/entity/tag/urn:li:tag:%ff', '/openapi/entity/tag/urn:li:tag:%ff'],
    ['/openapi/entity//scroll/', '/openapi/entity/scroll'],
    ['*', '*'],
  ])('brings %s to %s', (target, normalized) => {
    expect(normalize(target)).toBe(normalized);
  });

  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 60 })
    .map((text) => `urn:li:tag:${text}z`);

  it('keeps any urn through full encoding, and through none but that of ? and %', () => {
    fc.assert(
      fc.property(name, (urn) => {
        const wanted = `/entities/${encodeURIComponent(urn)}?a=b`;
        expect(normalize(`/entities/${encodeURIComponent(urn)}?a=b`)).toBe(wanted);
        const bytes = Buffer.from(urn.replaceAll('%', '%25').replaceAll('?', '%3F'), 'utf8').toString(
          'latin1',
        );
        expect(normalize(`/gms/entities/${bytes}?a=b`)).toBe(wanted);
      }),
    );
  });

  it('never throws, and changes nothing the second time', () => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array).toString('latin1'));
    fc.assert(
      fc.property(
        fc.constantFrom('', '/', '/entities/', '/gms/aspects/', '/entitiesV2/', '/openapi/entity/tag/urn:'),
        bytes,
        (front, rest) => {
          const once = normalize(front + rest);
          // A target that begins with a second prefix after the first is removed is none of ours.
          fc.pre(!/^\/(?:api\/+)?gms(?:\/|$|\?)/.test(once) && !/^https?:/i.test(once));
          expect(normalize(once)).toBe(once);
        },
      ),
    );
  });
});
