export { graphStage } from './graph-stage';
