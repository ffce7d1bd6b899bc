import type { Stage } from '@stratalog/ports';

/** The relationship graph's place in a distributed catalog. It keeps no edges yet and serves nothing but its health. */
export const graphStage: Stage<unknown, never> = { name: 'graph', open: () => ({ consumers: [] }) };
