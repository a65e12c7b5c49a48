import Testing

@testable import DocumentModel

@Suite("The unique place of a hash")
struct UniquePlacesTests {
    @Test(
        "the place of a hash is known among any number of hashes, and is none if the hash is at several",
        arguments: [0, 3, 8, 500])
    func places(count: Int) {
        var places = UniquePlaces(count: 2)
        // Every third hash occurs again at another place, every fifth at the same place.
        for number in 0..<count {
            let hash = FastHash.mix(UInt64(number), 3)
            places.note(hash, at: number)
            if number % 3 == 0 { places.note(hash, at: number + 1) }
            if number % 5 == 0 { places.note(hash, at: number) }
        }
        for number in 0..<count {
            let hash = FastHash.mix(UInt64(number), 3)
            let (isKnown, place) = (places.contains(hash), places[hash])
            #expect(isKnown)
            #expect(place == (number % 3 == 0 ? nil : number))
        }
        let (isKnown, place) = (places.contains(1), places[1])
        #expect(!isKnown && place == nil)
        var all: [Int] = []
        places.forEachPlace { all.append($0) }
        #expect(all.sorted() == (0..<count).filter { $0 % 3 != 0 })
    }
}
