export { adminStage } from './admin-stage';
