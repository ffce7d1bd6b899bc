export { graphProjection } from './graph-projection';
export { searchProjection } from './search-projection';
