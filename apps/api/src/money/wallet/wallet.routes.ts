import { wallet } from '@nearhand/contract/money/wallet';
import { read, write } from '../../platform/http/bind.ts';
import { getWallet, topUp } from './business-wallet.ts';

export const walletRoutes = {
  get: read(wallet.get, getWallet),
  topUp: write(wallet.topUp, topUp),
};
