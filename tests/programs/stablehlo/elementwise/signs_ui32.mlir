// in: draw 1 0 1 4294967296
// out: hash e23f51d8f2217bb6
// out: hash 742620b704494093
// out: hash 740a031168c3a0a3
// cost: 18 instructions, 692883 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui32>) -> (tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>) {
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<5x30xui32>
    %1 = stablehlo.compare EQ, %arg0, %0, UNSIGNED : (tensor<5x30xui32>, tensor<5x30xui32>) -> tensor<5x30xi1>
    %c_0 = stablehlo.constant dense<0> : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<5x30xui32>
    %c_1 = stablehlo.constant dense<1> : tensor<ui32>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui32>) -> tensor<5x30xui32>
    %4 = stablehlo.select %1, %2, %3 : tensor<5x30xi1>, tensor<5x30xui32>
    %c_2 = stablehlo.constant dense<2> : tensor<ui32>
    %c_3 = stablehlo.constant dense<9> : tensor<ui32>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<5x30xui32>
    %6 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<5x30xui32>
    %7 = stablehlo.clamp %5, %arg0, %6 : tensor<5x30xui32>
    %8 = stablehlo.multiply %arg0, %arg0 : tensor<5x30xui32>
    return %4, %7, %8 : tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>
  }
}
