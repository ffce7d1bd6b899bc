export { holds, linesHold } from './holds';
export { splitBlocks, type Block } from './markdown';
export { readPage } from './pages';
