export { findExcluded, findSoftDeleted, listEnds } from './find-excluded';
export { listPaths } from './list-paths';
export { liveGraph } from './live-graph';
export {
  readLastEdges,
  readLineage,
  type LineageDeps,
  type LineageQuery,
  type LineageResult,
} from './read-lineage';
export { type LineageNode } from './arrange-lineage';
export { MAX_CHILDREN } from './walk-lineage';
export { labelEntity } from './picture/label-entity';
export { LayoutThreads } from './picture/layout-threads';
export { type EntityLabel, type Picture } from './picture/picture';
export { placePicture } from './picture/place-picture';
export { readPicture, type PictureQuery } from './picture/read-picture';
export { SVG_STYLE_SOURCE, renderSvg } from './picture/render-svg';
export { renderDot, renderMermaid } from './picture/render-text';
export { compareLineage, type LineageChange, type LineageComparison } from './past/compare-lineage';
export { chooseTimes, type ComparedTimes, type SentTimes } from './past/choose-times';
export { nameOwner } from './past/past-edges';
export { openPast } from './past/open-past';
export { type LineageModel } from './past/past-deps';
