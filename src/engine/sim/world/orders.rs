//! A shop: customers, products, orders with refunds, and policies as texts. The tools do what a shop's system can do; what
//! a policy forbids, they don't prevent.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Realm,
    tool::{Arguments, Kind, Outcome, Spec, Table, entry, entry_mut, holds, may, must, next_id, page},
};

const PAGE: usize = 3;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Shop {
    /// The date of orders that are placed now.
    today: String,
    customers: Table<Customer>,
    products: Table<Product>,
    orders: Table<Order>,
    /// Topic → text.
    policies: Table<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Customer {
    name: String,
    email: String,
    #[serde(default)]
    city: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Product {
    name: String,
    price: f64,
    stock: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    customer: String,
    placed: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delivered: Option<String>,
    status: Status,
    #[serde(default)]
    address: String,
    lines: Vec<Line>,
    /// Paid back so far.
    #[serde(default)]
    refunded: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Open,
    Shipped,
    Delivered,
    Cancelled,
    PartlyRefunded,
    Refunded,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    sku: String,
    quantity: i64,
    /// Of one piece.
    price: f64,
}

/// Whole cents, so that sums are exact.
fn cents(amount: f64) -> i64 {
    (amount * 100.0).round() as i64
}

fn euros(cents: i64) -> f64 {
    cents as f64 / 100.0
}

impl Order {
    fn total(&self) -> i64 {
        self.lines.iter().fold(0, |sum, line| sum.saturating_add(cents(line.price).saturating_mul(line.quantity)))
    }
}

impl Realm for Shop {
    const TOOLS: &'static [Spec<Self>] = &[
        Spec {
            name: "find_customers",
            about: "Finds customers by a part of their name or e-mail address.",
            arguments: &[must("query", Kind::Text, "part of a name or e-mail address")],
            run: |shop, arguments| Ok(shop.find_customers(arguments)),
        },
        Spec {
            name: "list_orders",
            about: "Lists the orders of a customer, oldest first, 3 per page.",
            arguments: &[
                must("customer_id", Kind::Text, "id of the customer, like C-17"),
                may("page", Kind::Whole, "page to show, from 1; 1 if left out"),
            ],
            run: |shop, arguments| shop.list_orders(arguments),
        },
        Spec {
            name: "get_order",
            about: "Shows one order: status, dates, lines, total, refunds and address. Prices are in euros.",
            arguments: &[must("order_id", Kind::Text, "id of the order, like SO-1042")],
            run: |shop, arguments| shop.get_order(arguments),
        },
        Spec {
            name: "get_product",
            about: "Shows name, price in euros and stock of a product.",
            arguments: &[must("sku", Kind::Text, "the product's number, as in an order's lines")],
            run: |shop, arguments| {
                let sku = arguments.text("sku");
                let product = entry(&shop.products, "product", sku, "get_order")?;
                Ok(json!({ "sku": sku, "name": product.name, "price": product.price, "stock": product.stock }))
            },
        },
        Spec {
            name: "get_policy",
            about: "Shows the shop's policy on a topic. Without a topic: lists the topics.",
            arguments: &[may("topic", Kind::Text, "the topic, like refunds")],
            run: |shop, arguments| shop.get_policy(arguments),
        },
        Spec {
            name: "cancel_order",
            about: "Cancels an order that is still open. Cancelled orders are never charged.",
            arguments: &[must("order_id", Kind::Text, "id of the order")],
            run: |shop, arguments| shop.cancel_order(arguments),
        },
        Spec {
            name: "refund_order",
            about: "Pays back a part or all of a shipped or delivered order.",
            arguments: &[
                must("order_id", Kind::Text, "id of the order"),
                must("amount", Kind::Amount, "euros to pay back, at most two decimals"),
                may("reason", Kind::Text, "why, for the books"),
            ],
            run: |shop, arguments| shop.refund_order(arguments),
        },
        Spec {
            name: "change_address",
            about: "Changes the delivery address of an order that is still open.",
            arguments: &[
                must("order_id", Kind::Text, "id of the order"),
                must("address", Kind::Text, "the whole new address"),
            ],
            run: |shop, arguments| shop.change_address(arguments),
        },
        Spec {
            name: "place_order",
            about: "Places a new order of one product for a customer, at today's price.",
            arguments: &[
                must("customer_id", Kind::Text, "id of the customer"),
                must("sku", Kind::Text, "the product's number"),
                must("quantity", Kind::Whole, "how many"),
            ],
            run: |shop, arguments| shop.place_order(arguments),
        },
    ];

    fn sound(&self) -> Result<(), (String, String)> {
        for (id, order) in &self.orders {
            if !self.customers.contains_key(&order.customer) {
                return Err((format!("orders.{id}.customer"), format!("{:?} is no customer", order.customer)));
            }
            if order.lines.is_empty() || order.lines.iter().any(|line| line.quantity < 1 || line.price < 0.0) {
                return Err((
                    format!("orders.{id}.lines"),
                    "needs at least one line, with a quantity and a price".to_owned(),
                ));
            }
        }
        Ok(())
    }
}

impl Shop {
    fn find_customers(&self, arguments: &Arguments) -> Value {
        let query = arguments.text("query");
        let fits = |customer: &Customer| holds(&customer.name, query) || holds(&customer.email, query);
        let found: Vec<Value> = self
            .customers
            .iter()
            .filter(|(_, customer)| fits(customer))
            .map(|(id, c)| json!({ "customer_id": id, "name": c.name, "email": c.email, "city": c.city }))
            .collect();
        json!({ "customers": found })
    }

    fn list_orders(&self, arguments: &Arguments) -> Outcome {
        let id = arguments.text("customer_id");
        entry(&self.customers, "customer", id, "find_customers")?;
        let own = self.orders.iter().filter(|(_, order)| order.customer == id);
        let rows =
            own.map(|(id, order)| json!({ "order_id": id, "placed": order.placed, "status": order.status })).collect();
        page("orders", rows, arguments.whole("page"), PAGE)
    }

    fn get_order(&self, arguments: &Arguments) -> Outcome {
        let id = arguments.text("order_id");
        let order = entry(&self.orders, "order", id, "list_orders")?;
        let lines: Vec<Value> = order
            .lines
            .iter()
            .map(|line| {
                let name = self.products.get(&line.sku).map(|product| product.name.as_str());
                json!({ "sku": line.sku, "name": name, "quantity": line.quantity, "price": line.price })
            })
            .collect();
        let mut shown = json!({
            "order_id": id,
            "customer_id": order.customer,
            "placed": order.placed,
            "delivered": order.delivered,
            "status": order.status,
            "address": order.address,
            "lines": lines,
            "total": euros(order.total()),
            "refunded": order.refunded,
        });
        if let (Some(note), Some(shown)) = (&order.note, shown.as_object_mut()) {
            shown.insert("note".to_owned(), note.as_str().into());
        }
        Ok(shown)
    }

    fn get_policy(&self, arguments: &Arguments) -> Outcome {
        let topics: Vec<&String> = self.policies.keys().collect();
        let Some(topic) = arguments.maybe("topic") else {
            return Ok(json!({ "topics": topics }));
        };
        match self.policies.iter().find(|(name, _)| name.eq_ignore_ascii_case(topic)) {
            Some((name, text)) => Ok(json!({ "topic": name, "policy": text })),
            None => Err(format!("there is no policy on {topic:?}; the topics are {topics:?}")),
        }
    }

    fn cancel_order(&mut self, arguments: &Arguments) -> Outcome {
        let id = arguments.text("order_id");
        let order = entry_mut(&mut self.orders, "order", id, "list_orders")?;
        if order.status != Status::Open {
            return Err(format!("order {id} is {}; only open orders can be cancelled", json!(order.status)));
        }
        order.status = Status::Cancelled;
        Ok(json!({ "order_id": id, "status": order.status }))
    }

    fn refund_order(&mut self, arguments: &Arguments) -> Outcome {
        let (id, amount) = (arguments.text("order_id"), arguments.amount("amount"));
        let order = entry_mut(&mut self.orders, "order", id, "list_orders")?;
        if matches!(order.status, Status::Open | Status::Cancelled) {
            return Err(format!("order {id} is {}; nothing was charged yet", json!(order.status)));
        }
        if amount > 1e9 || (amount * 100.0 - (amount * 100.0).round()).abs() > 1e-6 {
            return Err(format!("{amount} is no amount in euros; use at most two decimals"));
        }
        let rest = order.total() - cents(order.refunded);
        if cents(amount) > rest {
            return Err(format!("{amount} is more than the {} that can still be paid back", euros(rest)));
        }
        order.refunded = euros(cents(order.refunded) + cents(amount));
        order.status = if cents(amount) == rest { Status::Refunded } else { Status::PartlyRefunded };
        Ok(json!({ "order_id": id, "status": order.status, "refunded": order.refunded }))
    }

    fn change_address(&mut self, arguments: &Arguments) -> Outcome {
        let id = arguments.text("order_id");
        let order = entry_mut(&mut self.orders, "order", id, "list_orders")?;
        if order.status != Status::Open {
            return Err(format!("order {id} is {}; its address can't be changed any more", json!(order.status)));
        }
        order.address = arguments.text("address").to_owned();
        Ok(json!({ "order_id": id, "address": order.address }))
    }

    fn place_order(&mut self, arguments: &Arguments) -> Outcome {
        let (customer, sku) = (arguments.text("customer_id"), arguments.text("sku"));
        let quantity = arguments.whole("quantity");
        entry(&self.customers, "customer", customer, "find_customers")?;
        let product = entry_mut(&mut self.products, "product", sku, "get_order")?;
        if product.stock < quantity {
            return Err(format!("only {} of {sku} are in stock", product.stock));
        }
        product.stock -= quantity;
        let id = next_id(&self.orders, "SO-");
        let order = Order {
            customer: customer.to_owned(),
            placed: self.today.clone(),
            delivered: None,
            status: Status::Open,
            address: String::new(),
            lines: vec![Line { sku: sku.to_owned(), quantity, price: product.price }],
            refunded: 0.0,
            note: None,
        };
        let result = json!({ "order_id": id, "status": order.status, "total": euros(order.total()) });
        self.orders.insert(id, order);
        Ok(result)
    }
}
