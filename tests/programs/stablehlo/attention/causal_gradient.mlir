// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -2.09211517 -1.56752256 -1.67651324 -3.95165479 -4.60959695 -2.87291606 -4.96764238 -1.47499147 -0.671848371 -2.02446882 -0.865742983 -1.11948871 -3.10297623 -3.6544717 -2.99837849 -1.16214076
// out: sums -1.02504528 0.860374332 -2.35586647 -0.150819451 0.728509549 -0.839613562 -1.26969465 0.659495169 2.82660403 -1.27925485 -1.55581873 0.444956658 -1.37004016 1.58077945 1.36975177 1.95230437
// out: sums 134.618229 129.981959 117.686454 128.491727 140.791091 107.756212 93.3397857 94.6494055 114.243978 101.627731 121.337529 142.966904 116.896709 129.64047 102.063729 116.06399
// cost: 242 instructions, 7062500 ticks
module {
  func.func public @main(%arg0: tensor<1x2x40x16xf32>, %arg1: tensor<1x2x40x16xf32>, %arg2: tensor<1x2x40x16xf32>) -> (tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<40xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40x1xi32>
    %3 = stablehlo.add %1, %2 : tensor<40x1xi32>
    %4 = stablehlo.iota dim = 0 : tensor<40xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<40xi32>) -> tensor<1x40xi32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<40x1xi32>) -> tensor<40x40xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x40xi32>) -> tensor<40x40xi32>
    %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
    %9 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>) -> tensor<1x2x40x40xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x40x40xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<1x2x40x40xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %12:3 = call @_where(%8, %11, %cst_0) : (tensor<40x40xi1>, tensor<1x2x40x40xf32>, tensor<f32>) -> (tensor<1x2x40x40xf32>, tensor<1x2x40x40xi1>, tensor<1x2x40x40xf32>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x40x40xf32>, tensor<f32>) -> tensor<1x2x40xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x2x40xf32>) -> tensor<1x2x40x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<1x2x40x1xf32>) -> tensor<1x2x40x40xf32>
    %16 = stablehlo.compare EQ, %12#0, %15, FLOAT : (tensor<1x2x40x40xf32>, tensor<1x2x40x40xf32>) -> tensor<1x2x40x40xi1>
    %17 = stablehlo.convert %16 : (tensor<1x2x40x40xi1>) -> tensor<1x2x40x40xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<1x2x40x40xf32>, tensor<f32>) -> tensor<1x2x40xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x40xf32>
    %20 = stablehlo.maximum %19, %13 : tensor<1x2x40xf32>
    %21 = stablehlo.compare EQ, %13, %20, FLOAT : (tensor<1x2x40xf32>, tensor<1x2x40xf32>) -> tensor<1x2x40xi1>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x2x40xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x40xf32>
    %24 = stablehlo.select %21, %22, %23 : tensor<1x2x40xi1>, tensor<1x2x40xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x2x40xf32>
    %26 = stablehlo.compare EQ, %25, %20, FLOAT : (tensor<1x2x40xf32>, tensor<1x2x40xf32>) -> tensor<1x2x40xi1>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x2x40xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x2x40xf32>
    %29 = stablehlo.select %26, %27, %28 : tensor<1x2x40xi1>, tensor<1x2x40xf32>
    %30 = stablehlo.divide %24, %29 : tensor<1x2x40xf32>
    %31 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x2x40xf32>) -> tensor<1x2x40x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x2x40x1xf32>) -> tensor<1x2x40x40xf32>
    %33 = stablehlo.subtract %12#0, %32 : tensor<1x2x40x40xf32>
    %34 = stablehlo.exponential %33 : tensor<1x2x40x40xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<1x2x40x40xf32>, tensor<f32>) -> tensor<1x2x40xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<1x2x40xf32>) -> tensor<1x2x40x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x2x40x1xf32>) -> tensor<1x2x40x40xf32>
    %38 = stablehlo.divide %34, %37 : tensor<1x2x40x40xf32>
    %39 = stablehlo.multiply %36, %36 : tensor<1x2x40x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x2x40x1xf32>
    %41 = stablehlo.divide %40, %39 : tensor<1x2x40x1xf32>
    %42 = stablehlo.dot_general %38, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x40x40xf32>, tensor<1x2x40x16xf32>) -> tensor<1x2x40x16xf32>
    %43 = stablehlo.sine %42 : tensor<1x2x40x16xf32>
    %44 = stablehlo.cosine %42 : tensor<1x2x40x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%43 init: %cst_11) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x2x40x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<1x2x40x16xf32>
    %47 = stablehlo.multiply %46, %44 : tensor<1x2x40x16xf32>
    %48 = stablehlo.dot_general %47, %38, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x40x16xf32>, tensor<1x2x40x40xf32>) -> tensor<1x2x16x40xf32>
    %49 = stablehlo.transpose %48, dims = [0, 1, 3, 2] : (tensor<1x2x16x40xf32>) -> tensor<1x2x40x16xf32>
    %50 = stablehlo.dot_general %47, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>) -> tensor<1x2x40x40xf32>
    %51 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x2x40x1xf32>) -> tensor<1x2x40x40xf32>
    %52 = stablehlo.multiply %50, %51 : tensor<1x2x40x40xf32>
    %53 = stablehlo.multiply %52, %34 : tensor<1x2x40x40xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<1x2x40x40xf32>, tensor<f32>) -> tensor<1x2x40xf32>
    %55 = stablehlo.reshape %54 : (tensor<1x2x40xf32>) -> tensor<1x2x40x1xf32>
    %56 = stablehlo.negate %55 : tensor<1x2x40x1xf32>
    %57 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x2x40x1xf32>) -> tensor<1x2x40x40xf32>
    %58 = stablehlo.divide %50, %57 : tensor<1x2x40x40xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.reduce(%56 init: %cst_14) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x2x40x1xf32>, tensor<f32>) -> tensor<2x40xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [1, 2] : (tensor<2x40xf32>) -> tensor<1x2x40xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2] : (tensor<1x2x40xf32>) -> tensor<1x2x40x40xf32>
    %62 = stablehlo.add %58, %61 : tensor<1x2x40x40xf32>
    %63 = stablehlo.multiply %62, %34 : tensor<1x2x40x40xf32>
    %64 = call @_where_0(%12#1, %12#2, %63) : (tensor<1x2x40x40xi1>, tensor<1x2x40x40xf32>, tensor<1x2x40x40xf32>) -> tensor<1x2x40x40xf32>
    %cst_15 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x2x40x40xf32>
    %66 = stablehlo.multiply %64, %65 : tensor<1x2x40x40xf32>
    %67 = stablehlo.dot_general %66, %arg0, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x40x40xf32>, tensor<1x2x40x16xf32>) -> tensor<1x2x40x16xf32>
    %68 = stablehlo.dot_general %66, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x40x40xf32>, tensor<1x2x40x16xf32>) -> tensor<1x2x40x16xf32>
    return %68, %67, %49 : tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>
  }
  func.func private @_where(%arg0: tensor<40x40xi1>, %arg1: tensor<1x2x40x40xf32>, %arg2: tensor<f32>) -> (tensor<1x2x40x40xf32>, tensor<1x2x40x40xi1>, tensor<1x2x40x40xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<40x40xi1>) -> tensor<1x2x40x40xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x2x40x40xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x2x40x40xi1>, tensor<1x2x40x40xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x40x40xf32>
    return %3, %1, %4 : tensor<1x2x40x40xf32>, tensor<1x2x40x40xi1>, tensor<1x2x40x40xf32>
  }
  func.func private @_where_0(%arg0: tensor<1x2x40x40xi1>, %arg1: tensor<1x2x40x40xf32>, %arg2: tensor<1x2x40x40xf32>) -> tensor<1x2x40x40xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x40x40xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<1x2x40x40xi1>, tensor<1x2x40x40xf32>
    return %1 : tensor<1x2x40x40xf32>
  }
}
