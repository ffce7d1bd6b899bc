import { mintToken } from '@stratalog/http';
import type { TokenStore } from '@stratalog/ports';

export const EXAMPLE_TOKEN_ID = '0123456789ab';
/** The ids in the examples of calls on one token: one is rotated, the other revoked. */
const IDS = [EXAMPLE_TOKEN_ID, 'ba9876543210'];

/** Adds the tokens that the documented examples name. */
export async function addExampleTokens({ tokens }: { readonly tokens: TokenStore }): Promise<void> {
  const actor = 'urn:li:corpuser:admin';
  for (const id of IDS) {
    const { hash } = mintToken(id);
    const grant = {
      name: 'docs',
      actor,
      scopes: ['read'],
      limits: {},
      speaksForOthers: false,
      isSession: false,
    } as const;
    await tokens.add({ ...grant, id, hash, createdBy: actor });
  }
}
