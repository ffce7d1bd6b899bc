// Settings of nx, imported before nx: no daemon, no cloud, and no file outside of `node_modules/.cache`.
import { join } from 'node:path';
import { ROOT } from './workspace.mjs';

process.env.NX_DAEMON = 'false';
process.env.NX_NO_CLOUD = 'true';
process.env.NX_TUI = 'false';
process.env.NX_WORKSPACE_DATA_DIRECTORY ??= join(ROOT, 'node_modules/.cache/nx-workspace');
