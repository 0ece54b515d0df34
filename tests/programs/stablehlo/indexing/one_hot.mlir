// in: draw 1 0 1 9
// out: hash f6f642f70ce38a90
// cost: 6 instructions, 623992 ticks
module {
  func.func public @main(%arg0: tensor<40xi32>) -> (tensor<40x9xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %1 = stablehlo.iota dim = 0 : tensor<9xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<9xi32>) -> tensor<1x9xi32>
    %3 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<40x1xi32>) -> tensor<40x9xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x9xi32>) -> tensor<40x9xi32>
    %5 = stablehlo.compare EQ, %3, %4, SIGNED : (tensor<40x9xi32>, tensor<40x9xi32>) -> tensor<40x9xi1>
    %6 = stablehlo.convert %5 : (tensor<40x9xi1>) -> tensor<40x9xf32>
    return %6 : tensor<40x9xf32>
  }
}
