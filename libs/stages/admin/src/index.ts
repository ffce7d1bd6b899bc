export { ADMIN_CONTROLLERS, adminStage } from './admin.module';
export { type AdminRoutes } from './admin-routes';
