import type { Stage } from '@stratalog/ports';

/** The operators' place in a distributed catalog. It has no operations yet and serves nothing but its health. */
export const adminStage: Stage<unknown, never> = { name: 'admin', open: () => ({ consumers: [] }) };
