import { oneOf } from '@stratalog/http';
import { didYouMean } from '@stratalog/domain';
import * as z from 'zod';
import { anyUrn, urn } from '../arguments';
import { defineTool } from '../tool';
import { proposePatch, requireChanges, requireExisting } from './propose-patch';

const ROLES = ['TECHNICAL_OWNER', 'BUSINESS_OWNER', 'DATA_STEWARD'] as const;
/** Most owners of one call. */
const MOST = 50;

const owners = z.array(anyUrn).max(MOST).default([]);

export const changeOwners = defineTool({
  name: 'change_owners',
  title: 'Change the owners of an entity',
  description: `Adds owners to an entity in one role, and removes others from that role. Each must exist already: search finds them with types ["corpuser", "corpGroup"].`,
  effect: 'writes',
  input: {
    urn,
    role: oneOf(ROLES, (sent) => ({
      message: `Argument parameter 'role' value '${sent.slice(0, 100)}' is invalid: it must be one of ${ROLES.join(', ')}${didYouMean(sent, ROLES)}`,
    }))
      .default('TECHNICAL_OWNER')
      .describe('The role of the owners.'),
    add: owners.describe('Urns of users and groups: urn:li:corpuser:….'),
    remove: owners.describe('Urns of users and groups.'),
  },
  run: async (clients, { urn: of, role, add, remove }) => {
    requireChanges(add, remove);
    await requireExisting(clients, add);
    return proposePatch(clients, {
      urn: of,
      aspect: 'ownership',
      operations: [
        ...remove.map((owner) => ({ op: 'remove' as const, steps: ['owners', owner, role] })),
        ...add.map((owner) => ({
          op: 'add' as const,
          steps: ['owners', owner, role],
          value: { owner, type: role },
        })),
      ],
    });
  },
});
