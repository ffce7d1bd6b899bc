import { Module, type DynamicModule } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import { createToken, listTokens, revokeToken, rotateToken, type TokenDeps } from './manage-tokens';
import { TokensController } from './tokens.controller';

/** Mounts the routes of tokens. */
@Module({})
export class TokensModule {
  static over(deps: TokenDeps): DynamicModule {
    return {
      module: TokensModule,
      controllers: [TokensController],
      providers: provideUseCases(deps, createToken, rotateToken, revokeToken, listTokens),
    };
  }
}
