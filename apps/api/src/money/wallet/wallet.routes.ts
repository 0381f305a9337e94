import { wallet } from '@nearhand/contract/money/wallet';
import { read, write } from '../../platform/http/bind.ts';
import { topUp } from './top-ups.ts';
import { getWallet } from './wallet-views.ts';

export const walletRoutes = {
  get: read(wallet.get, getWallet),
  topUp: write(wallet.topUp, topUp),
};
