//! Stock in warehouses: transfers between them and purchase orders at suppliers. Reserved stock can't leave.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Realm,
    tool::{Arguments, Kind, Outcome, Spec, Table, entry, entry_mut, holds, may, must, next_id, page},
};

const PAGE: usize = 4;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Depot {
    warehouses: Table<Warehouse>,
    products: Table<Product>,
    /// Warehouse → product → stock.
    stock: Table<Table<Stock>>,
    purchase_orders: Table<PurchaseOrder>,
    transfers: Table<Transfer>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Warehouse {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Product {
    name: String,
    supplier: String,
    /// Below this, a warehouse should order more.
    reorder_level: i64,
    /// Suppliers sell whole packs of so many.
    pack: i64,
    /// Euros for one piece.
    price: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stock {
    on_hand: i64,
    #[serde(default)]
    reserved: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PurchaseOrder {
    sku: String,
    quantity: i64,
    warehouse: String,
    status: OrderStatus,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OrderStatus {
    Open,
    Received,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Transfer {
    sku: String,
    from: String,
    to: String,
    quantity: i64,
}

const SKU: &str = "number of the product, like BX-20";
const WAREHOUSE: &str = "id of the warehouse, like W-2";

impl Realm for Depot {
    const TOOLS: &'static [Spec<Self>] = &[
        Spec {
            name: "list_warehouses",
            about: "Lists the warehouses with their ids.",
            arguments: &[],
            run: |depot, _| {
                let row = |(id, warehouse): (&String, &Warehouse)| {
                    let mut row = json!(warehouse);
                    if let Some(row) = row.as_object_mut() {
                        row.insert("warehouse_id".to_owned(), id.as_str().into());
                    }
                    row
                };
                Ok(json!({ "warehouses": depot.warehouses.iter().map(row).collect::<Vec<_>>() }))
            },
        },
        Spec {
            name: "find_products",
            about: "Finds products by a part of their name.",
            arguments: &[must("name", Kind::Text, "part of the name")],
            run: |depot, arguments| {
                let found = depot.products.iter().filter(|(_, product)| holds(&product.name, arguments.text("name")));
                let rows: Vec<Value> =
                    found.map(|(sku, product)| json!({ "sku": sku, "name": product.name })).collect();
                Ok(json!({ "products": rows }))
            },
        },
        Spec {
            name: "get_product",
            about: "Shows a product: supplier, price of one piece in euros, pack size and reorder level.",
            arguments: &[must("sku", Kind::Text, SKU)],
            run: |depot, arguments| {
                let sku = arguments.text("sku");
                let mut shown = json!(entry(&depot.products, "product", sku, "find_products")?);
                if let Some(shown) = shown.as_object_mut() {
                    shown.insert("sku".to_owned(), sku.into());
                }
                Ok(shown)
            },
        },
        Spec {
            name: "get_stock",
            about: "Shows how many pieces of a product a warehouse has, how many are reserved and how many are free.",
            arguments: &[must("sku", Kind::Text, SKU), must("warehouse_id", Kind::Text, WAREHOUSE)],
            run: |depot, arguments| {
                let (sku, warehouse) = (arguments.text("sku"), arguments.text("warehouse_id"));
                let stock = depot.stock_of(sku, warehouse)?;
                let free = stock.on_hand - stock.reserved;
                let (on_hand, reserved) = (stock.on_hand, stock.reserved);
                Ok(json!({
                    "sku": sku, "warehouse_id": warehouse, "on_hand": on_hand, "reserved": reserved, "free": free,
                }))
            },
        },
        Spec {
            name: "list_low_stock",
            about: "Lists the products of a warehouse that are below their reorder level, 4 per page.",
            arguments: &[
                must("warehouse_id", Kind::Text, WAREHOUSE),
                may("page", Kind::Whole, "page to show, from 1; 1 if left out"),
            ],
            run: |depot, arguments| depot.list_low_stock(arguments),
        },
        Spec {
            name: "transfer_stock",
            about: "Moves free pieces of a product from one warehouse to another.",
            arguments: &[
                must("sku", Kind::Text, SKU),
                must("from_warehouse_id", Kind::Text, "where they come from"),
                must("to_warehouse_id", Kind::Text, "where they go"),
                must("quantity", Kind::Whole, "how many pieces"),
            ],
            run: |depot, arguments| depot.transfer_stock(arguments),
        },
        Spec {
            name: "create_purchase_order",
            about: "Orders pieces of a product from its supplier for a warehouse, in whole packs.",
            arguments: &[
                must("sku", Kind::Text, SKU),
                must("quantity", Kind::Whole, "how many pieces; a multiple of the pack size"),
                must("warehouse_id", Kind::Text, WAREHOUSE),
            ],
            run: |depot, arguments| depot.create_purchase_order(arguments),
        },
        Spec {
            name: "list_purchase_orders",
            about: "Lists purchase orders, 4 per page; those of one warehouse if you name one.",
            arguments: &[
                may("warehouse_id", Kind::Text, WAREHOUSE),
                may("page", Kind::Whole, "page to show, from 1; 1 if left out"),
            ],
            run: |depot, arguments| {
                let warehouse = arguments.maybe("warehouse_id");
                if let Some(id) = warehouse {
                    entry(&depot.warehouses, "warehouse", id, "list_warehouses")?;
                }
                let fits = |order: &PurchaseOrder| warehouse.is_none_or(|id| order.warehouse == id);
                let rows = depot.purchase_orders.iter().filter(|(_, order)| fits(order)).map(|(id, order)| {
                    json!({
                        "purchase_order_id": id, "sku": order.sku, "quantity": order.quantity,
                        "warehouse_id": order.warehouse, "status": order.status,
                    })
                });
                page("purchase_orders", rows.collect(), arguments.whole("page"), PAGE)
            },
        },
        Spec {
            name: "cancel_purchase_order",
            about: "Cancels a purchase order that is still open.",
            arguments: &[must("purchase_order_id", Kind::Text, "id of the purchase order, like PO-31")],
            run: |depot, arguments| {
                let id = arguments.text("purchase_order_id");
                let order = entry_mut(&mut depot.purchase_orders, "purchase order", id, "list_purchase_orders")?;
                if order.status != OrderStatus::Open {
                    return Err(format!("{id} is {}; only open ones can be cancelled", json!(order.status)));
                }
                order.status = OrderStatus::Cancelled;
                Ok(json!({ "purchase_order_id": id, "status": order.status }))
            },
        },
    ];

    fn sound(&self) -> Result<(), (String, String)> {
        for (sku, product) in &self.products {
            if product.pack < 1 {
                return Err((format!("products.{sku}.pack"), "is below 1".to_owned()));
            }
        }
        for (warehouse, stocks) in &self.stock {
            for (sku, stock) in stocks {
                let at = || format!("stock.{warehouse}.{sku}");
                self.stock_of(sku, warehouse).map_err(|why| (at(), why))?;
                if stock.reserved < 0 || stock.on_hand < stock.reserved || stock.on_hand > 1_000_000_000 {
                    return Err((at(), "needs 0 ≤ reserved ≤ on_hand ≤ 1000000000".to_owned()));
                }
            }
        }
        for (id, order) in &self.purchase_orders {
            self.stock_of(&order.sku, &order.warehouse).map_err(|why| (format!("purchase_orders.{id}"), why))?;
        }
        Ok(())
    }
}

impl Depot {
    /// Nothing, if the warehouse never had it.
    fn stock_of(&self, sku: &str, warehouse: &str) -> Result<Stock, String> {
        entry(&self.products, "product", sku, "find_products")?;
        entry(&self.warehouses, "warehouse", warehouse, "list_warehouses")?;
        Ok(self.stock.get(warehouse).and_then(|stocks| stocks.get(sku)).copied().unwrap_or_default())
    }

    fn list_low_stock(&self, arguments: &Arguments) -> Outcome {
        let warehouse = arguments.text("warehouse_id");
        entry(&self.warehouses, "warehouse", warehouse, "list_warehouses")?;
        let rows = self.stock.get(warehouse).into_iter().flatten().filter_map(|(sku, stock)| {
            let product = self.products.get(sku)?;
            (stock.on_hand < product.reorder_level).then(|| {
                json!({
                    "sku": sku, "name": product.name, "on_hand": stock.on_hand, "reorder_level": product.reorder_level,
                })
            })
        });
        page("products", rows.collect(), arguments.whole("page"), PAGE)
    }

    fn transfer_stock(&mut self, arguments: &Arguments) -> Outcome {
        let (sku, quantity) = (arguments.text("sku"), arguments.whole("quantity"));
        let (from, to) = (arguments.text("from_warehouse_id"), arguments.text("to_warehouse_id"));
        if from == to {
            return Err("from_warehouse_id and to_warehouse_id are the same".to_owned());
        }
        let (mut giver, mut taker) = (self.stock_of(sku, from)?, self.stock_of(sku, to)?);
        let free = giver.on_hand - giver.reserved;
        if quantity > free {
            return Err(format!("{from} has only {free} free pieces of {sku} ({} are reserved)", giver.reserved));
        }
        giver.on_hand -= quantity;
        taker.on_hand += quantity;
        self.stock.entry(from.to_owned()).or_default().insert(sku.to_owned(), giver);
        self.stock.entry(to.to_owned()).or_default().insert(sku.to_owned(), taker);
        let id = next_id(&self.transfers, "TR-");
        let transfer = Transfer { sku: sku.to_owned(), from: from.to_owned(), to: to.to_owned(), quantity };
        self.transfers.insert(id.clone(), transfer);
        Ok(json!({ "transfer_id": id, "sku": sku, "quantity": quantity, "left_there": giver.on_hand }))
    }

    fn create_purchase_order(&mut self, arguments: &Arguments) -> Outcome {
        let (sku, warehouse) = (arguments.text("sku"), arguments.text("warehouse_id"));
        let quantity = arguments.whole("quantity");
        self.stock_of(sku, warehouse)?;
        let product = entry(&self.products, "product", sku, "find_products")?;
        if quantity % product.pack != 0 {
            return Err(format!(
                "{} sells {sku} in packs of {}; {quantity} is no multiple",
                product.supplier, product.pack
            ));
        }
        let id = next_id(&self.purchase_orders, "PO-");
        let cost = product.price * quantity as f64;
        let order =
            PurchaseOrder { sku: sku.to_owned(), quantity, warehouse: warehouse.to_owned(), status: OrderStatus::Open };
        self.purchase_orders.insert(id.clone(), order);
        Ok(json!({ "purchase_order_id": id, "status": "open", "cost": (cost * 100.0).round() / 100.0 }))
    }
}
