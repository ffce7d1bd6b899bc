export { CatalogProcess, plainEnvironment } from './catalog-process';
export { holds, linesHold } from './holds';
export { blocksOf, type Block } from './markdown';
export { readPage } from './pages';
