// tolerance: 0.0001
// routines: composite
// in: draw 1 -4 3.814697265625e-06 2097152
// out: sums 55.6998486 57.2295618 58.1996968 63.4576794 64.7062221 55.2748797 50.9622248 47.1346481 57.9639883 40.2982356 48.0339329 61.628058 52.9709426 54.5350379 53.8010468 50.478035
// cost: 21 instructions, 1717448 ticks
module {
  func.func public @main(%arg0: tensor<20x60xf32>) -> (tensor<20x60xf32>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<20x60xf32>
    %2 = stablehlo.negate %arg0 : tensor<20x60xf32>
    %cst_0 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<20x60xf32>
    %5 = chlo.erfc %4 : tensor<20x60xf32> -> tensor<20x60xf32>
    %6 = chlo.square %4 : tensor<20x60xf32> -> tensor<20x60xf32>
    %7 = stablehlo.negate %6 : tensor<20x60xf32>
    %8 = stablehlo.exponential %7 : tensor<20x60xf32>
    %9 = stablehlo.multiply %1, %5 : tensor<20x60xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<20x60xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %12 = stablehlo.multiply %1, %11 : tensor<20x60xf32>
    %13 = stablehlo.multiply %11, %5 : tensor<20x60xf32>
    %cst_3 = stablehlo.constant dense<-1.12837923> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<20x60xf32>
    %16 = stablehlo.multiply %15, %8 : tensor<20x60xf32>
    %cst_4 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %18 = stablehlo.multiply %16, %17 : tensor<20x60xf32>
    %19 = stablehlo.negate %18 : tensor<20x60xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %21 = stablehlo.multiply %20, %13 : tensor<20x60xf32>
    %22 = stablehlo.add %19, %21 : tensor<20x60xf32>
    return %22 : tensor<20x60xf32>
  }
}
