// in: draw 1 -2 0.25 17
// out: hash 4226364af8acabb9
// out: hash 4226364af8acabb9
// out: hash 4226364af8acabb9
// out: hash 4226364af8acabb9
// out: hash 4226364af8acabb9
// out: hash 4226364af8acabb9
// out: hash 75d983ae622a1d90
// out: hash 75d983ae622a1d90
// out: hash 75d983ae622a1d90
// out: hash 9805d54f4d93136c
// out: hash 9805d54f4d93136c
// out: hash 9805d54f4d93136c
// out: hash 88eab7e214a11ca7
// cost: 111 instructions, 1829392 ticks
module {
  func.func public @main(%arg0: tensor<5x30xf8E5M2>) -> (tensor<5x30xf32>, tensor<5x30xbf16>, tensor<5x30xf16>, tensor<5x30xf8E4M3FN>, tensor<5x30xf8E4M3>, tensor<5x30xf8E3M4>, tensor<5x30xi8>, tensor<5x30xi16>, tensor<5x30xi32>, tensor<5x30xui8>, tensor<5x30xui16>, tensor<5x30xui32>, tensor<5x30xi1>) {
    %0 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xf32>
    %1 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xbf16>
    %2 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xf16>
    %3 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xf8E4M3FN>
    %4 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xf8E4M3>
    %5 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xf8E3M4>
    %6 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xi8>
    %7 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xi16>
    %8 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xi32>
    %9 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xui8>
    %10 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xui16>
    %11 = stablehlo.convert %arg0 : (tensor<5x30xf8E5M2>) -> tensor<5x30xui32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f8E5M2>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f8E5M2>) -> tensor<5x30xf8E5M2>
    %13 = stablehlo.compare NE, %arg0, %12, FLOAT : (tensor<5x30xf8E5M2>, tensor<5x30xf8E5M2>) -> tensor<5x30xi1>
    %14 = stablehlo.convert %13 : tensor<5x30xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %14 : tensor<5x30xf32>, tensor<5x30xbf16>, tensor<5x30xf16>, tensor<5x30xf8E4M3FN>, tensor<5x30xf8E4M3>, tensor<5x30xf8E3M4>, tensor<5x30xi8>, tensor<5x30xi16>, tensor<5x30xi32>, tensor<5x30xui8>, tensor<5x30xui16>, tensor<5x30xui32>, tensor<5x30xi1>
  }
}
