import { defineRoute } from '@stratalog/http';
import * as z from 'zod';

const EPOCH = z.int().min(1);

export const DECLARE_RESTORED = defineRoute({
  path: 'operations',
  app: 'admin',
  access: 'administrative',
  action: 'declareRestored',
  parameters: z.object({}),
  docs: {
    group: 'Operations',
    summary: 'Say that the store was put back to an older state',
    description: `To be called after a backup of PostgreSQL was restored, or a standby took over that lacked the last commits. It raises the epoch of the store: positions that clients
got before are rejected, every index is built again alongside the live one, and changes are published under the new epoch. Processes follow within a few seconds; none has to be restarted.`,
    answer: {
      description: 'The new epoch.',
      schema: z.object({ epoch: EPOCH, formerEpoch: EPOCH }),
    },
    examples: [{ title: 'After a restore', body: {} }],
  },
});
