import { cakto } from './cakto/shop';
import { eduzz } from './eduzz/shop';
import { hotmart } from './hotmart/shop';
import { hubla } from './hubla/shop';
import { kiwify } from './kiwify/shop';
import { lemonsqueezy } from './lemonsqueezy/shop';
import { other } from './other/shop';
import { perfectpay } from './perfectpay/shop';
import type { Shop } from './shop';
import { shopify } from './shopify/shop';
import { stripe } from './stripe/shop';
import { ticto } from './ticto/shop';
import { woocommerce } from './woocommerce/shop';

/** The shops with a recipe of their own, by file. `docs/shops.md` says what these facts rest on. */
export const SHOPS: Record<string, Shop> = {
	'shop-hotmart': hotmart,
	'shop-kiwify': kiwify,
	'shop-eduzz': eduzz,
	'shop-woocommerce': woocommerce,
	'shop-stripe': stripe,
	'shop-shopify': shopify,
	'shop-hubla': hubla,
	'shop-lemonsqueezy': lemonsqueezy,
	'shop-cakto': cakto,
	'shop-ticto': ticto,
	'shop-perfectpay': perfectpay,
	'shop-other': other,
};
