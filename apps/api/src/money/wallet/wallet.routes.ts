import { wallet } from '@nearhand/contract/money/wallet';
import { read, write } from '../../platform/http/bind.ts';
import { topUp } from './top-ups.service.ts';
import { getWallet } from './wallet-views.service.ts';

export const walletRoutes = {
  get: read(wallet.get, getWallet),
  topUp: write(wallet.topUp, topUp),
};
