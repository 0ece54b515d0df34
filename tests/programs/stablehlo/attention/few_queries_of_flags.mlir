// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// in: draw 4 0 1 2
// out: sums -2.29136673 0.284111395 2.11418444 -1.47028539 1.16866587 -0.889068067 -0.0351804951 -0.835212532 -1.23604911 -0.332846455 1.25650821 0.387398317 0.667477429 1.35022037 -0.0607202649 0.00175502896
// cost: 119 instructions, 2076937 ticks
module {
  func.func public @main(%arg0: tensor<6x2x3x64xbf16>, %arg1: tensor<6x2x256x64xbf16>, %arg2: tensor<6x2x256x64xbf16>, %arg3: tensor<6x256xi8>) -> (tensor<6x2x3x64xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<6x2x3x64xbf16>, tensor<6x2x256x64xbf16>) -> tensor<6x2x3x256xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x3x256xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<6x2x3x256xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [0, 3] : (tensor<6x256xi8>) -> tensor<6x1x1x256xi8>
    %c = stablehlo.constant dense<0> : tensor<i8>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i8>) -> tensor<6x1x1x256xi8>
    %5 = stablehlo.compare GT, %3, %4, SIGNED : (tensor<6x1x1x256xi8>, tensor<6x1x1x256xi8>) -> tensor<6x1x1x256xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %6 = call @_where(%5, %2, %cst_0) : (tensor<6x1x1x256xi1>, tensor<6x2x3x256xf32>, tensor<f32>) -> tensor<6x2x3x256xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<6x2x3x256xf32>, tensor<f32>) -> tensor<6x2x3xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x2x3xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<6x2x3xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<6x2x3xf32>) -> tensor<6x2x3x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<6x2x3x1xf32>) -> tensor<6x2x3x256xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<6x2x3x256xf32>
    %13 = stablehlo.exponential %12 : tensor<6x2x3x256xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<6x2x3x256xf32>, tensor<f32>) -> tensor<6x2x3xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<6x2x3xf32>) -> tensor<6x2x3x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<6x2x3x1xf32>) -> tensor<6x2x3x256xf32>
    %17 = stablehlo.divide %13, %16 : tensor<6x2x3x256xf32>
    %18 = stablehlo.convert %17 : (tensor<6x2x3x256xf32>) -> tensor<6x2x3x256xbf16>
    %19 = stablehlo.dot_general %18, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x2x3x256xbf16>, tensor<6x2x256x64xbf16>) -> tensor<6x2x3x64xbf16>
    return %19 : tensor<6x2x3x64xbf16>
  }
  func.func private @_where(%arg0: tensor<6x1x1x256xi1>, %arg1: tensor<6x2x3x256xf32>, %arg2: tensor<f32>) -> tensor<6x2x3x256xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<6x1x1x256xi1>) -> tensor<6x2x3x256xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x2x3x256xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<6x2x3x256xi1>, tensor<6x2x3x256xf32>
    return %3 : tensor<6x2x3x256xf32>
  }
}
