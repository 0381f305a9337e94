import { seats } from '@nearhand/contract/hiring/seats';
import { read } from '../../platform/http/bind.ts';
import { seatQuote } from './seat-quote.ts';

export const seatsRoutes = { quote: read(seats.quote, seatQuote) };
