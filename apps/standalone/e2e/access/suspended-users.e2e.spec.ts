import { suspendedUsersSuite } from './suspended-users-suite';

suspendedUsersSuite({});
