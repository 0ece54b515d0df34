// tolerance: 0.002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 4 -1 9.5367431640625e-07 2097153
// out: sums 140.170667 -654.187236 -926.601718 -270.372539 -107.401706 -580.295144 -615.085068 -117.321688 -578.855656 -78.1394553 -571.75939 -349.849053 166.195214 -129.430001 -253.83251 -264.291047
// cost: 181 instructions, 3741980 ticks
module {
  func.func public @main(%arg0: tensor<256x64xf32>, %arg1: tensor<64x8xf32>, %arg2: tensor<8x64x96xf32>, %arg3: tensor<8x96x64xf32>) -> (tensor<256x64xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x64xf32>, tensor<64x8xf32>) -> tensor<256x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<256x8xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<256xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x8xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<256x8xf32>
    %7 = stablehlo.exponential %6 : tensor<256x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<256x8xf32>, tensor<f32>) -> tensor<256xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<256xf32>) -> tensor<256x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<256x1xf32>) -> tensor<256x8xf32>
    %11 = stablehlo.divide %7, %10 : tensor<256x8xf32>
    %values, %indices = chlo.top_k(%11, k = 2) : tensor<256x8xf32> -> (tensor<256x2xf32>, tensor<256x2xi32>)
    %12 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<256x64xf32>, tensor<8x64x96xf32>) -> tensor<256x8x96xf32>
    %13 = call @silu(%12) : (tensor<256x8x96xf32>) -> tensor<256x8x96xf32>
    %14 = stablehlo.dot_general %arg3, %13, batching_dims = [0] x [1], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x96x64xf32>, tensor<256x8x96xf32>) -> tensor<8x64x256xf32>
    %15 = stablehlo.transpose %14, dims = [2, 0, 1] : (tensor<8x64x256xf32>) -> tensor<256x8x64xf32>
    %16 = call @_one_hot(%indices) : (tensor<256x2xi32>) -> tensor<256x2x8xf32>
    %17 = stablehlo.broadcast_in_dim %values, dims = [0, 1] : (tensor<256x2xf32>) -> tensor<256x2x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<256x2x1xf32>) -> tensor<256x2x8xf32>
    %19 = stablehlo.multiply %16, %18 : tensor<256x2x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<256x2x8xf32>, tensor<f32>) -> tensor<256x8xf32>
    %21 = stablehlo.dot_general %15, %20, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<256x8x64xf32>, tensor<256x8xf32>) -> tensor<256x64xf32>
    return %21 : tensor<256x64xf32>
  }
  func.func private @silu(%arg0: tensor<256x8x96xf32>) -> tensor<256x8x96xf32> {
    %0 = stablehlo.negate %arg0 : tensor<256x8x96xf32>
    %1 = stablehlo.exponential %0 : tensor<256x8x96xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<256x8x96xf32>
    %3 = stablehlo.add %2, %1 : tensor<256x8x96xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<256x8x96xf32>
    %5 = stablehlo.divide %4, %3 : tensor<256x8x96xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<256x8x96xf32>
    return %6 : tensor<256x8x96xf32>
  }
  func.func private @_one_hot(%arg0: tensor<256x2xi32>) -> tensor<256x2x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<256x2xi32>) -> tensor<256x2x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x8xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<256x2x1xi32>) -> tensor<256x2x8xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x8xi32>) -> tensor<256x2x8xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<256x2x8xi32>, tensor<256x2x8xi32>) -> tensor<256x2x8xi1>
    %5 = stablehlo.convert %4 : (tensor<256x2x8xi1>) -> tensor<256x2x8xf32>
    return %5 : tensor<256x2x8xf32>
  }
}
