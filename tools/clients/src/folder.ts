import { fileURLToPath } from 'node:url';

/** `tools/clients`: from the sources and from the bundle alike, three folders below the root. */
export const FOLDER = fileURLToPath(new URL('../../../tools/clients', import.meta.url));
