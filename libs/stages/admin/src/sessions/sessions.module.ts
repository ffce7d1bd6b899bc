import { Module, type DynamicModule } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import { describeCaller, signOut, type SessionDeps } from './session';
import { SessionsController } from './sessions.controller';
import { beginSignIn, finishSignIn } from './sign-in';

/** Mounts the routes of sessions. */
@Module({})
export class SessionsModule {
  static over(deps: SessionDeps): DynamicModule {
    return {
      module: SessionsModule,
      controllers: [SessionsController],
      providers: provideUseCases(deps, describeCaller, beginSignIn, finishSignIn, signOut),
    };
  }
}
