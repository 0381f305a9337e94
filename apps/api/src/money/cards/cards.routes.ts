import { cards } from '@nearhand/contract/money/cards';
import { write, writePrepared } from '../../platform/http/bind.ts';
import { addCard, makeCardDefault, removeCard, saveCard } from './cards.service.ts';

export const cardsRoutes = {
  add: writePrepared(cards.add, saveCard, addCard),
  remove: write(cards.remove, removeCard),
  makeDefault: write(cards.makeDefault, makeCardDefault),
};
