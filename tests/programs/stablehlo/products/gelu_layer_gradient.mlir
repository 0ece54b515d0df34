// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 247.327491 2221.88102 1620.63465 1214.05033 591.973934 723.976847 407.06088 836.595301 318.690804 580.516361 934.48603 701.183257 1598.49687 784.869869 1779.42163 666.492454
// out: sums 589.638591 144.272131 316.41467 393.455927 -358.084888 -32.8412067 68.7437384 664.781126 -550.705063 1943.65224 -1724.65739 -1904.8948 -761.550647 1351.34205 -279.288183 1604.36948
// out: sums 79143.8146 74885.9388 77102.5997 73709.8758 76196.3816 77532.9544 70641.849 75546.588 78397.7935 66209.2362 79727.1513 79269.9309 73260.3277 73102.5586 77514.9182 76995.6114
// cost: 78 instructions, 2129430 ticks
module {
  func.func public @main(%arg0: tensor<130x64xf32>, %arg1: tensor<64x96xf32>, %arg2: tensor<96x64xf32>) -> (tensor<130x64xf32>, tensor<64x96xf32>, tensor<96x64xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<130x64xf32>, tensor<64x96xf32>) -> tensor<130x96xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<130x96xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<130x96xf32>
    %3 = stablehlo.multiply %0, %0 : tensor<130x96xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<130x96xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<130x96xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<130x96xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<130x96xf32>
    %8 = stablehlo.add %0, %7 : tensor<130x96xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<130x96xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<130x96xf32>
    %11 = stablehlo.tanh %10 : tensor<130x96xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<130x96xf32>
    %13 = stablehlo.subtract %12, %11 : tensor<130x96xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<130x96xf32>
    %15 = stablehlo.add %14, %11 : tensor<130x96xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<130x96xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<130x96xf32>
    %18 = stablehlo.multiply %0, %17 : tensor<130x96xf32>
    %19 = stablehlo.dot_general %18, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<130x96xf32>, tensor<96x64xf32>) -> tensor<130x64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<130x64xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<130x64xf32>
    %22 = stablehlo.dot_general %21, %18, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<130x64xf32>, tensor<130x96xf32>) -> tensor<64x96xf32>
    %23 = stablehlo.transpose %22, dims = [1, 0] : (tensor<64x96xf32>) -> tensor<96x64xf32>
    %24 = stablehlo.dot_general %21, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<130x64xf32>, tensor<96x64xf32>) -> tensor<130x96xf32>
    %25 = stablehlo.multiply %0, %24 : tensor<130x96xf32>
    %26 = stablehlo.multiply %24, %17 : tensor<130x96xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<130x96xf32>
    %28 = stablehlo.multiply %27, %25 : tensor<130x96xf32>
    %29 = stablehlo.multiply %28, %13 : tensor<130x96xf32>
    %30 = stablehlo.multiply %29, %11 : tensor<130x96xf32>
    %31 = stablehlo.add %29, %30 : tensor<130x96xf32>
    %cst_8 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<130x96xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<130x96xf32>
    %34 = stablehlo.add %26, %33 : tensor<130x96xf32>
    %cst_9 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<130x96xf32>
    %36 = stablehlo.multiply %35, %33 : tensor<130x96xf32>
    %37 = stablehlo.multiply %36, %5 : tensor<130x96xf32>
    %38 = stablehlo.add %34, %37 : tensor<130x96xf32>
    %39 = stablehlo.dot_general %38, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<130x96xf32>, tensor<130x64xf32>) -> tensor<96x64xf32>
    %40 = stablehlo.transpose %39, dims = [1, 0] : (tensor<96x64xf32>) -> tensor<64x96xf32>
    %41 = stablehlo.dot_general %38, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<130x96xf32>, tensor<64x96xf32>) -> tensor<130x64xf32>
    return %41, %40, %23 : tensor<130x64xf32>, tensor<64x96xf32>, tensor<96x64xf32>
  }
}
