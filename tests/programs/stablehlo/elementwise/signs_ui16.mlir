// in: draw 1 0 1 65536
// out: hash e23f51d8f2217bb6
// out: hash 742620b704494093
// out: hash 34b4d07cffe77957
// cost: 16 instructions, 701530 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui16>) -> (tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>) {
    %c = stablehlo.constant dense<0> : tensor<ui16>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui16>) -> tensor<5x30xui16>
    %1 = stablehlo.compare EQ, %arg0, %0, UNSIGNED : (tensor<5x30xui16>, tensor<5x30xui16>) -> tensor<5x30xi1>
    %c_0 = stablehlo.constant dense<0> : tensor<ui16>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui16>) -> tensor<5x30xui16>
    %c_1 = stablehlo.constant dense<1> : tensor<ui16>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui16>) -> tensor<5x30xui16>
    %4 = stablehlo.select %1, %2, %3 : tensor<5x30xi1>, tensor<5x30xui16>
    %c_2 = stablehlo.constant dense<2> : tensor<ui16>
    %c_3 = stablehlo.constant dense<9> : tensor<ui16>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui16>) -> tensor<5x30xui16>
    %6 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui16>) -> tensor<5x30xui16>
    %7 = stablehlo.clamp %5, %arg0, %6 : tensor<5x30xui16>
    %8 = stablehlo.multiply %arg0, %arg0 : tensor<5x30xui16>
    return %4, %7, %8 : tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>
  }
}
