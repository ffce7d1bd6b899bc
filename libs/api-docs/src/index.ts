export { API_CONTROLLERS } from './api-controllers';
export { pathText } from './pages/endpoint-names';
export { docsStage } from './docs.module';
