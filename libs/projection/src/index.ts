export { graphProjection } from './graph-projection';
export { findLineageAspects, projectAspect } from './project-edges';
export { searchProjection } from './search-projection';
export { POPULARITY_ASPECT, toRankingMultiplier, type PopularityStrength } from './popularity';
