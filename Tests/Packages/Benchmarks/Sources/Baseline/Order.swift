/// An order as the app writes it today.
public struct Order: VersionedDocument, Sendable {
    public var number: Int
    public var placed: String
    public var customer: OrderV2.Customer
    public var items: [Item]
    public var total: OrderV2.Price
    public var note: String?

    public struct Item: Codable, Sendable {
        public var product: Product
        public var quantity: Int
        public var price: OrderV2.Price
    }

    public struct Product: Codable, Sendable {
        public var sku: String
        public var title: String
    }

    public static let version: Int? = 3
    public typealias Earlier = OrderV2

    public init(from old: OrderV2) {
        number = old.number
        placed = old.placed
        customer = old.customer
        items = old.lines.map {
            Item(product: Product(sku: $0.sku, title: $0.title), quantity: $0.quantity, price: $0.price)
        }
        total = OrderV2.Price(cents: old.lines.reduce(0) { $0 + $1.price.cents * $1.quantity }, currency: "GBP")
        note = old.note
    }
}

/// An order whose customer has a city, and whose prices have a currency.
public struct OrderV2: VersionedDocument, Sendable {
    public var number: Int
    public var placed: String
    public var customer: Customer
    public var lines: [Line]
    public var note: String?

    public struct Customer: Codable, Sendable {
        public var name: String
        public var city: String
    }

    public struct Line: Codable, Sendable {
        public var sku: String
        public var title: String
        public var quantity: Int
        public var price: Price
    }

    public struct Price: Codable, Sendable {
        public var cents: Int
        public var currency: String
    }

    public static let version: Int? = 2
    public typealias Earlier = OrderV1

    public init(from old: OrderV1) {
        number = old.number
        placed = old.placed
        customer = Customer(name: old.customer, city: old.city)
        lines = old.lines.map {
            Line(
                sku: $0.sku, title: $0.title, quantity: $0.quantity,
                price: Price(cents: $0.cents, currency: "GBP"))
        }
        note = old.note
    }
}

/// An order as the first release wrote it.
public struct OrderV1: VersionedDocument, Sendable {
    public var number: Int
    public var placed: String
    public var customer: String
    public var city: String
    public var lines: [Line]
    public var note: String?

    public struct Line: Codable, Sendable {
        public var sku: String
        public var title: String
        public var quantity: Int
        public var cents: Int
    }

    public static let version: Int? = 1
    public typealias Earlier = Nothing

    public init(from earlier: Nothing) throws { throw UnsupportedVersion() }
}
