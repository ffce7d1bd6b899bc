export { API_CONTROLLERS, API_ROUTES } from './api-controllers';
export { pathText } from './pages/endpoint-names';
export { docsStage } from './docs.module';
