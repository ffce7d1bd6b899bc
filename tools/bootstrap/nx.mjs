// Nx, with any of its arguments: `node tools/bootstrap/nx.mjs affected -t test`.
import './workspace/nx-settings.mjs';
import { installIfNeeded } from './workspace/install.mjs';

await installIfNeeded();
await import('nx/bin/nx.js');
