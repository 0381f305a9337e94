import { seats } from '@nearhand/contract/hiring/seats';
import { read } from '../../platform/http/bind.ts';
import { seatQuote } from './seat-quote.service.ts';

export const seatsRoutes = { quote: read(seats.quote, seatQuote) };
